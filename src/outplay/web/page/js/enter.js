// The first page of an address with a token: on to the page itself, to the room and the position that the address names.

location.replace(`/${location.hash}`);
