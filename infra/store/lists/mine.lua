-- Keep the places of a match in the lists of one account; what is older never replaces what is newer.
--
-- KEYS  1 hash: match -> "seq member name name …", the lists it is in; without a name: it was, once
-- ARGV  1 match   2 seq   3 member   4 a seq known to be wrong, up to which may be replaced, or ""
--       5 what the keys of the lists begin with   6… names of lists
-- Gives 1 if kept, 0 if a newer one is there. All keys carry the same hash tag.

local seq, member = tonumber(ARGV[2]), ARGV[3]
local wanted = {}
for i = 6, #ARGV do
  wanted[ARGV[i]] = true
end

local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then
  local words = {}
  for word in string.gmatch(known, '%S+') do
    words[#words + 1] = word
  end
  local before = tonumber(words[1]) or 0 -- what is damaged is nobody's word
  if before > seq and (ARGV[4] == '' or before > tonumber(ARGV[4])) then
    return 0
  end
  for i = 3, #words do
    if not wanted[words[i]] or words[2] ~= member then
      redis.call('ZREM', ARGV[5] .. words[i], words[2])
    end
  end
end

local fresh = {ARGV[2], member}
for i = 6, #ARGV do
  redis.call('ZADD', ARGV[5] .. ARGV[i], 0, member)
  fresh[#fresh + 1] = ARGV[i]
end
fresh = table.concat(fresh, ' ')
if fresh ~= known then
  redis.call('HSET', KEYS[1], ARGV[1], fresh)
end
return 1
