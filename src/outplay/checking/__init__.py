"""Are the rules of a game written right, and do they mean the same when they are compiled?"""
