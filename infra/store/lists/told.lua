-- Everybody was told: forget who is concerned no longer, and what was wrong; unless somebody knows better by now.
--
-- KEYS  1 note (as shown.lua writes it)   ARGV  1 the seq that they were told   2… accounts to forget

local note = redis.call('GET', KEYS[1])
if not note then
  return 0
end
local lines, gone = {}, {}
for line in string.gmatch(note, '([^\n]*)\n') do
  lines[#lines + 1] = line
end
if lines[1] ~= ARGV[1] then
  return 0
end
for i = 2, #ARGV do
  gone[ARGV[i]] = true
end
local placed = tonumber(lines[4]) or 0
local fresh = {lines[1], lines[2], '', lines[4]}
for i = 5, #lines do
  if i <= 4 + placed or not gone[lines[i]] then
    fresh[#fresh + 1] = lines[i]
  end
end
if #fresh == 4 then
  return redis.call('DEL', KEYS[1]) -- in no index, and nobody is concerned: it was dropped
end
fresh[#fresh + 1] = ''
redis.call('SET', KEYS[1], table.concat(fresh, '\n'))
return 1
