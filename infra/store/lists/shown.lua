-- Keep what lists show of a match and its places in the indexes of its shard; an older one never replaces a newer.
--
-- KEYS  1 summary   2 note: seq, member, a seq that was wrong or "", how many indexes, their names, accounts; a line each
-- ARGV  1 seq   2 member   3 summary, "" to drop it   4 a seq known to be wrong, up to which may be replaced, or ""
--       5 what the keys of indexes begin with   6 how many indexes   7… their names, then the accounts to be told
-- Gives {0, seq} if a newer one is there; else {1, what was wrong or "", accounts that it concerns no longer…}.
-- The note names an account before it is told, and until it was told that it is concerned no longer: whoever
-- does the same again after a crash knows whom to tell. All keys carry the same hash tag.

local seq, member, wrong = tonumber(ARGV[1]), ARGV[2], ARGV[4]
local count = tonumber(ARGV[6])
local wanted, concerned = {}, {}
for i = 7, 6 + count do
  wanted[ARGV[i]] = true
end
for i = 7 + count, #ARGV do
  concerned[ARGV[i]] = true
end

local gone = {}
local note = redis.call('GET', KEYS[2])
if note then
  local lines = {}
  for line in string.gmatch(note, '([^\n]*)\n') do
    lines[#lines + 1] = line
  end
  local known = tonumber(lines[1]) or 0 -- a note that is damaged is nobody's word
  if known > seq and (wrong == '' or known > tonumber(wrong)) then
    return {0, known}
  end
  if wrong == '' then
    wrong = tonumber(lines[3]) and lines[3] or '' -- somebody replaced what was wrong, and died before everybody knew
  end
  local placed = tonumber(lines[4]) or 0
  for i = 5, 4 + placed do
    if not wanted[lines[i]] or lines[2] ~= member then
      redis.call('ZREM', ARGV[5] .. lines[i], lines[2])
    end
  end
  for i = 5 + placed, #lines do
    if not concerned[lines[i]] then
      gone[#gone + 1] = lines[i]
    end
  end
end

local fresh = {ARGV[1], member, wrong, ARGV[6]}
for i = 7, 6 + count do
  redis.call('ZADD', ARGV[5] .. ARGV[i], 0, member) -- although the note says so: what was damaged heals
  fresh[#fresh + 1] = ARGV[i]
end
for i = 7 + count, #ARGV do
  fresh[#fresh + 1] = ARGV[i]
end
for _, account in ipairs(gone) do
  fresh[#fresh + 1] = account
end
fresh[#fresh + 1] = ''
fresh = table.concat(fresh, '\n')

if ARGV[3] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[3])
end
if fresh ~= note then
  redis.call('SET', KEYS[2], fresh)
end
return {1, wrong, unpack(gone)}
