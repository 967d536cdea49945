"""The page and its server: play, analyse and watch a search. Needs the extra outplay[web]."""
