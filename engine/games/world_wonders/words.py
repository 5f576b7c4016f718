from engine.game import Words
WORDS = Words({"en":"World Wonders","cs":"Monumenty věků"}, lambda *a:"", lambda *a:"", lambda *a:"", lambda *a:"", {})
