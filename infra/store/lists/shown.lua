-- Keep what lists show of a match and its places in the indexes of its shard; an older one never replaces a newer.
-- (Behind tell.lua.)
--
-- KEYS  1 summary   2 note: seq, member, a seq that was wrong or "", how many indexes, their names, accounts; a line each
-- ARGV  1 match   2 seq   3 member   4 summary, "" to drop it
--       5 a seq known to be wrong, up to which may be replaced, or ""
--       6 what the keys of indexes begin with
--       7 what the keys of accounts' lists begin with, if they lie on this server, too: then they are told at once; or ""
--       8 how many indexes   9… their names, then of each account: its name, how many lists, the lists
-- Gives {0, seq} if a newer one is there; else {1, what was wrong or "", accounts that it concerns no longer…}, if those
-- must still be told. The note names an account before it is told, and until it was told that it is concerned no
-- longer: whoever does the same again after a crash knows whom to tell. All keys of a match carry the same hash tag.

local match, seq, member, wrong = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[5]
local count = tonumber(ARGV[8])
local wanted, accounts, lists = {}, {}, {}
for i = 9, 8 + count do
  wanted[ARGV[i]] = true
end
local at = 9 + count
while at < #ARGV do
  local who, names = ARGV[at], {}
  for i = at + 2, at + 1 + tonumber(ARGV[at + 1]) do
    names[#names + 1] = ARGV[i]
  end
  accounts[#accounts + 1], lists[who] = who, names
  at = at + 2 + #names
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
      redis.call('ZREM', ARGV[6] .. lines[i], lines[2])
    end
  end
  for i = 5 + placed, #lines do
    if not lists[lines[i]] then
      gone[#gone + 1] = lines[i]
    end
  end
end

if ARGV[7] ~= '' then
  for _, who in ipairs(accounts) do
    tell(ARGV[7] .. who .. '}:', match, ARGV[2], member, wrong, lists[who])
  end
  for _, who in ipairs(gone) do
    tell(ARGV[7] .. who .. '}:', match, ARGV[2], member, wrong, {})
  end
  gone, wrong = {}, ''
end

local fresh = {ARGV[2], member, wrong, ARGV[8]}
for i = 9, 8 + count do
  redis.call('ZADD', ARGV[6] .. ARGV[i], 0, member) -- although the note says so: what was damaged heals
  fresh[#fresh + 1] = ARGV[i]
end
for _, some in ipairs({accounts, gone}) do
  for _, who in ipairs(some) do
    fresh[#fresh + 1] = who
  end
end

if ARGV[4] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[4])
end
if #fresh == 4 then
  redis.call('DEL', KEYS[2]) -- in no index, and nobody is concerned: it was dropped
else
  fresh[#fresh + 1] = ''
  fresh = table.concat(fresh, '\n')
  if fresh ~= note then
    redis.call('SET', KEYS[2], fresh)
  end
end
return {1, wrong, unpack(gone)}
