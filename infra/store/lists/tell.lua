-- Keep the places of a match in the lists of one account; what is older never replaces what is newer.
--
-- `begins`: what the keys of its lists begin with. Beside them is a hash, match -> "seq member name name …": the
-- lists it is in; without a name: it was, once. `wrong`: a seq known to be wrong, up to which may be replaced, or "".
-- Gives 1 if kept, 0 if a newer one is there. All keys of an account carry the same hash tag.

local function tell(begins, match, seq, member, wrong, names)
  local wanted = {}
  for _, name in ipairs(names) do
    wanted[name] = true
  end
  local known = redis.call('HGET', begins .. 'matches', match)
  if known then
    local words = {}
    for word in string.gmatch(known, '%S+') do
      words[#words + 1] = word
    end
    local before = tonumber(words[1]) or 0 -- what is damaged is nobody's word
    if before > tonumber(seq) and (wrong == '' or before > tonumber(wrong)) then
      return 0
    end
    for i = 3, #words do
      if not wanted[words[i]] or words[2] ~= member then
        redis.call('ZREM', begins .. words[i], words[2])
      end
    end
  end
  for _, name in ipairs(names) do
    redis.call('ZADD', begins .. name, 0, member)
  end
  local fresh = table.concat({seq, member, unpack(names)}, ' ')
  if fresh ~= known then
    redis.call('HSET', begins .. 'matches', match, fresh)
  end
  return 1
end
