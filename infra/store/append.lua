-- Append to the log of one match: everything or nothing, in one step.
--
-- KEYS  1 log (stream)   2 commands (hash)   3 outbox (stream)   4 deadlines (sorted set)
--       5 where archived matches lie (hash)
-- ARGV  1 match   2 expected length   3 command field or ""   4 digest of the command
--       5 deadline in ms, "" for none, "keep" to leave it   6 channel
--       7 SHA-1 of the event that the log is believed to end with, "" if unknown   8… the events
-- Gives {0, last seq} appended, {1, seq} done before, {2, length} conflict, {3, seq} key used for another command.

-- The command first: a repeat is answered even though the log has grown since.
if ARGV[3] ~= '' then
  local found = redis.call('HGET', KEYS[2], ARGV[3])
  if found then
    local seq, digest = string.match(found, '^(%d+) (.*)$')
    return {digest == ARGV[4] and 1 or 3, tonumber(seq)}
  end
end

-- The exact length: an explicit stream id alone would accept a gap.
local length = redis.call('XLEN', KEYS[1])
local expected = tonumber(ARGV[2])
-- A log that lies in the archive is over: nothing begins anew under its id.
if length == 0 then
  local archived = redis.call('HGET', KEYS[5], ARGV[1])
  if archived then
    return {2, tonumber(string.match(archived, '^(%d+) '))}
  end
end
if length ~= expected then
  return {2, length}
end
-- And the same log: after a failover another one may have grown to the same length.
if ARGV[7] ~= '' and length > 0 then
  local tail = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
  if redis.sha1hex(tail[2][2]) ~= ARGV[7] then
    return {2, length}
  end
end

local last = expected
for i = 8, #ARGV do
  last = last + 1
  redis.call('XADD', KEYS[1], string.format('%d-0', last), 'e', ARGV[i])
end

if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[3], string.format('%d %s', last, ARGV[4]))
end
redis.call('XADD', KEYS[3], '*', 'match', ARGV[1], 'first', expected + 1, 'last', last)
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[4], ARGV[1])
elseif ARGV[5] ~= 'keep' then
  redis.call('ZADD', KEYS[4], ARGV[5], ARGV[1])
end
redis.call(string.sub(ARGV[6], 1, 4) == 'tl:{' and 'SPUBLISH' or 'PUBLISH', ARGV[6], ARGV[1] .. ' ' .. string.format('%d', last))
return {0, last}
