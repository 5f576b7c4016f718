-- Note which turns bots owe a match, and hand out as many waiting ones as there is room for.
--
-- KEYS  1 turns that are handed out (sorted set: turn -> when to look whether it was played)
-- ARGV  1 now   2 when to look   3, 4 turns and thinking time that an opener may have in the air, in a lane
--       5, 6 turns in the air of the light and the heavy lane   7 of the light ones, at tables of bots alone
--       8 match, or "" to hand out only   9 its seq
--       10 "hold": somebody plays this match on from here, in one lane; "release": and does so no longer; or ""
--       11 who that is   12 the lane   13 until when it is held   14 thinking time since it was handed out
--       15 1 at a table of bots alone   16 opener
--       17… for each turn that is owed: seat, since, lane, 1 at tables of bots alone, thinking time, opener
-- Gives whether this was taken down (0: somebody knows more, or holds the match), then what is handed out now:
-- turn, lane, turn, lane … A turn is "match seat since"; times are milliseconds.
--
-- All keys have the slot of KEYS[1]:
--   m:<match>                       hash: seq; "<seat> <since>" -> "<lane> <alone> <thinking> <opener>";
--                                   held -> "<lane> <until> <who>": its turns are in hand as they come
--   w:<lane>:<alone>:<opener>       sorted set: waiting turn -> not before
--   ring:<lane>:<alone>             sorted set: opener -> thinking time it was given so far (a start-time fair queue)
--   time                            hash: <lane>:<alone> -> the mark of whoever was served last: newcomers begin there
--                                   waited:<lane> -> thinking time of people's tables while bots alone waited

local flying, prefix = KEYS[1], '{' .. KEYS[1] .. '}:'
local now, look = tonumber(ARGV[1]), ARGV[2]
local most_turns, most_thinking = tonumber(ARGV[3]), tonumber(ARGV[4])
local room = {light = tonumber(ARGV[5]), heavy = tonumber(ARGV[6])}
local room_alone = {light = tonumber(ARGV[7]), heavy = tonumber(ARGV[6])}
local match, seq = ARGV[8], tonumber(ARGV[9])
local wish, who, in_lane, spent, alone_here, opener_here = ARGV[10], ARGV[11], ARGV[12], ARGV[14], ARGV[15], ARGV[16]
local TURNS = 17

-- What people's tables were given while bots alone waited; when it comes to so many times what the next of
-- those needs, that one goes first: a tenth of the time is theirs, however many people play.
local PEOPLES_PART = 9

local function read(note)
  local lane, alone, thinking, opener = string.match(note, '^(%S+) (%S+) (%S+) (.*)$')
  return {lane = lane, alone = alone, thinking = tonumber(thinking), opener = opener}
end

local function line(turn)
  return prefix .. 'w:' .. turn.lane .. ':' .. turn.alone .. ':' .. turn.opener
end

local function ring(lane, alone)
  return prefix .. 'ring:' .. lane .. ':' .. alone
end

local function wait_in_line(turn, member)
  redis.call('ZREM', flying, member)
  redis.call('ZADD', line(turn), now, member)
  local begin = redis.call('HGET', prefix .. 'time', turn.lane .. ':' .. turn.alone) or '0'
  redis.call('ZADD', ring(turn.lane, turn.alone), 'NX', begin, turn.opener)
end

local function fly(turn, member)
  redis.call('ZREM', line(turn), member)
  redis.call('ZADD', flying, look, member)
end

-- Who plays a match on; nobody, if that was not renewed in time: they are dead.
local function holder(known)
  local lane, till, name = string.match(redis.call('HGET', known, 'held') or '', '^(%S+) (%S+) (.*)$')
  return lane and tonumber(till) >= now and {lane = lane, who = name} or nil
end

local function drop(known, field)
  local turn, member = read(redis.call('HGET', known, field)), match .. ' ' .. field
  redis.call('HDEL', known, field, 'lost ' .. field)
  redis.call('ZREM', flying, member)
  redis.call('ZREM', line(turn), member)
end

-- The turns that were played on: paid for by who opened the table. What bots alone had of it people have first.
local function pay()
  redis.call('ZADD', ring(in_lane, alone_here), 'XX', 'INCR', spent, opener_here)
  if alone_here == '1' and tonumber(spent) > 0 then
    redis.call('HSET', prefix .. 'time', 'waited:' .. in_lane, -PEOPLES_PART * tonumber(spent))
  end
end

local function note(known, held, i)
  local field = ARGV[i] .. ' ' .. ARGV[i + 1]
  local turn = {lane = ARGV[i + 2], alone = ARGV[i + 3], opener = ARGV[i + 5]}
  local member = match .. ' ' .. field
  local mine = held and held.lane == turn.lane
  if redis.call('HEXISTS', known, field) == 0 then
    redis.call('HSET', known, field, table.concat({ARGV[i + 2], ARGV[i + 3], ARGV[i + 4], ARGV[i + 5]}, ' '));
    (mine and fly or wait_in_line)(turn, member)
  elseif wish == 'hold' and mine then
    fly(turn, member)
  elseif wish == 'release' and turn.lane == in_lane and redis.call('ZSCORE', flying, member) then
    wait_in_line(turn, member)
  end
  return field
end

local function settle()
  local known, owed = prefix .. 'm:' .. match, {}
  if tonumber(redis.call('HGET', known, 'seq') or '0') > seq then
    return 0 -- somebody who knows more was faster
  end
  local held = holder(known)
  if wish ~= '' and held and held.who ~= who then
    return 0
  end
  if wish == 'hold' then
    held = {lane = in_lane, who = who}
    redis.call('HSET', known, 'held', table.concat({in_lane, ARGV[13], who}, ' '))
  elseif wish == 'release' then
    held = nil
    redis.call('HDEL', known, 'held')
    pay()
  end
  for i = TURNS, #ARGV, 6 do
    owed[note(known, held, i)] = true
  end
  for _, field in ipairs(redis.call('HKEYS', known)) do
    if string.match(field, '^%d') and not owed[field] then
      drop(known, field)
    end
  end
  if next(owed) == nil then
    redis.call('DEL', known)
  else
    redis.call('HSET', known, 'seq', seq)
  end
  return 1
end

-- Counted anew each time, from the few that are in the air: a count that is kept could come to differ.
local air, air_alone, turns_of, thinking_of = {light = 0, heavy = 0}, {light = 0, heavy = 0}, {}, {}

local function count(turn)
  local whose = turn.lane .. ' ' .. turn.opener
  air[turn.lane] = air[turn.lane] + 1
  if turn.alone == '1' then
    air_alone[turn.lane] = air_alone[turn.lane] + 1
  end
  turns_of[whose] = (turns_of[whose] or 0) + 1
  thinking_of[whose] = (thinking_of[whose] or 0) + turn.thinking
end

local function note_of(member)
  local of, field = string.match(member, '^(%S+) (.*)$')
  local note = redis.call('HGET', prefix .. 'm:' .. of, field)
  return note and read(note)
end

-- One turn is always allowed: else a bot that thinks longer than the bound could never play.
local function may(turn)
  local whose = turn.lane .. ' ' .. turn.opener
  local has = turns_of[whose] or 0
  return has == 0 or (has < most_turns and thinking_of[whose] + turn.thinking <= most_thinking)
end

-- The first opener in the ring who has a turn that may go; who has none at all leaves the ring.
local function next_of(lane, alone)
  local from, gone = 0, {}
  local found, opener
  repeat
    local page = redis.call('ZRANGE', ring(lane, alone), from, from + 31)
    for _, one in ipairs(page) do
      local whose = {lane = lane, alone = alone, opener = one}
      local member = redis.call('ZRANGE', line(whose), '-inf', now, 'BYSCORE', 'LIMIT', 0, 1)[1]
      local turn = member and note_of(member)
      if member and not turn then
        redis.call('ZREM', line(whose), member) -- nobody owes it any more
      elseif member and may(turn) then
        found, opener = member, one
        break
      elseif not member and not turns_of[lane .. ' ' .. one] and redis.call('EXISTS', line(whose)) == 0 then
        gone[#gone + 1] = one
      end
    end
    from = from + 32
  until found or #page == 0
  for _, one in ipairs(gone) do
    redis.call('ZREM', ring(lane, alone), one)
  end
  return found, opener
end

-- Bots alone are played on and on: some places are kept for people, who would have to wait for them.
local function next_turn(lane)
  local alone, opener
  if air_alone[lane] < room_alone[lane] then
    alone, opener = next_of(lane, '1')
  end
  local waited = tonumber(redis.call('HGET', prefix .. 'time', 'waited:' .. lane) or '0')
  if alone and waited >= PEOPLES_PART * note_of(alone).thinking then
    return alone, opener, false
  end
  local member, whose = next_of(lane, '0')
  if member then
    return member, whose, alone
  end
  return alone, opener, false
end

local function note_waiting(lane, thinking, alone)
  if alone then
    redis.call('HINCRBY', prefix .. 'time', 'waited:' .. lane, thinking)
  else
    redis.call('HDEL', prefix .. 'time', 'waited:' .. lane)
  end
end

local function hand_out(lane, handed)
  while air[lane] < room[lane] do
    local member, opener, alone_waits = next_turn(lane)
    if not member then
      return
    end
    local turn = note_of(member)
    local places = ring(lane, turn.alone)
    redis.call('ZREM', line(turn), member)
    redis.call('ZADD', flying, look, member)
    redis.call('HSET', prefix .. 'time', lane .. ':' .. turn.alone, redis.call('ZSCORE', places, opener))
    redis.call('ZINCRBY', places, turn.thinking, opener)
    note_waiting(lane, turn.thinking, alone_waits)
    count(turn)
    handed[#handed + 1] = member
    handed[#handed + 1] = lane
  end
end

local handed = {1}
if match ~= '' then
  handed[1] = settle()
end
if wish == 'hold' then
  return handed
end
-- Of a match that is held one turn is played after the other: it takes one place.
local counted = {}
for _, member in ipairs(redis.call('ZRANGE', flying, 0, -1)) do
  local turn = note_of(member)
  local of = string.match(member, '^%S+')
  if turn and not counted[of .. turn.lane] then
    local held = holder(prefix .. 'm:' .. of)
    counted[of .. turn.lane] = held and held.lane == turn.lane
    count(turn)
  end
end
for _, lane in ipairs({'light', 'heavy'}) do
  hand_out(lane, handed)
end
return handed
