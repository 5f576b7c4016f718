-- Keep the summary of a match and its places in the indexes; an older summary never replaces a newer one.
--
-- KEYS  1 summary   2 note of where it is indexed: seq, member, index, index … a line each
-- ARGV  1 seq   2 member   3 summary, "" to drop it   4 a seq known to be wrong, which may be replaced, or ""
--       5… the indexes it belongs to
-- Gives 1 if kept, 0 if a newer one is there. All keys carry the same hash tag, those named in the note too.

local seq, member = tonumber(ARGV[1]), ARGV[2]
local wanted, there = {}, {}
for i = 5, #ARGV do
  wanted[ARGV[i]] = true
end

local note = redis.call('GET', KEYS[2])
if note then
  local lines = {}
  for line in string.gmatch(note, '[^\n]+') do
    lines[#lines + 1] = line
  end
  if tonumber(lines[1]) > seq and lines[1] ~= ARGV[4] then
    return 0
  end
  for i = 3, #lines do
    if wanted[lines[i]] and lines[2] == member then
      there[lines[i]] = true
    else
      redis.call('ZREM', lines[i], lines[2])
    end
  end
end

if ARGV[3] == '' then
  redis.call('DEL', KEYS[1], KEYS[2])
  return 1
end

local fresh = {ARGV[1], member}
for i = 5, #ARGV do
  if not there[ARGV[i]] then
    redis.call('ZADD', ARGV[i], 0, member)
  end
  fresh[#fresh + 1] = ARGV[i]
end
redis.call('SET', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], table.concat(fresh, '\n'))
return 1
