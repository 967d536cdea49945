// The address: #/room?key=value&key=value. It holds the whole position, so that reload, Back and a shared link work. Somebody may type
// #/room/game too.

const READABLE = { "%2C": ",", "%3A": ":", "%3D": "=", "%2F": "/", "%7C": "|", "%3B": ";" };

function encoded(text) {
  return encodeURIComponent(text).replace(/%(?:2C|3A|3D|2F|7C|3B)/g, (code) => READABLE[code]);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a hand-written % that encodes nothing
  }
}

/** Return {room, query} of a hash. */
export function read(hash) {
  const [path, ...rest] = hash.replace(/^#\/?/, "").split("?");
  const query = {};
  for (const part of rest.join("?").split("&")) {
    const [, key, value] = /^([^=]*)=?(.*)$/s.exec(part);
    if (key) query[decoded(key)] = decoded(value);
  }
  const [room, ...game] = path.split("/");
  if (game.length) query.game ??= decoded(game.join("/"));
  return { room: decoded(room), query };
}

/** Return the hash of a room; empty values are left out. */
export function link(room, query = {}) {
  const parts = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const text = parts.map(([key, value]) => `${encoded(key)}=${encoded(String(value))}`).join("&");
  return `#/${room}${text && "?"}${text}`;
}
