-- Returns the emotion labels that take a side: `side` 1 or -1; `family` of related labels; `adjective` and
-- `preposition` of the words that name the state; `alone`: the strength of a mood that the label gives without a
-- valence; `share`: the part of the valence that counts, half for attitudes ("I love hiking"), which are often no mood.
create or replace function memory_internal.mood_labels()
returns table (label text, side integer, family text, adjective text, preposition text, alone double precision,
               share double precision)
language sql immutable parallel safe rows 23 as $$
    values
        ('grief', -1, 'sadness', 'grieving', 'over', 0.6::double precision, 1::double precision),
        ('sadness', -1, 'sadness', 'sad', 'about', 0.35, 1),
        ('disappointment', -1, 'sadness', 'disappointed', 'about', 0.35, 1),
        ('remorse', -1, 'sadness', 'remorseful', 'about', 0.35, 1),
        ('embarrassment', -1, 'sadness', 'embarrassed', 'about', 0.35, 1),
        ('fear', -1, 'fear', 'afraid', 'of', 0.35, 1),
        ('nervousness', -1, 'fear', 'worried', 'about', 0.35, 1),
        ('anger', -1, 'anger', 'angry', 'about', 0.35, 1),
        ('annoyance', -1, 'anger', 'annoyed', 'about', 0.3, 1),
        ('disgust', -1, 'anger', 'disgusted', 'by', 0.3, 1),
        ('disapproval', -1, 'anger', 'unhappy', 'with', 0, 0.5),
        ('excitement', 1, 'joy', 'excited', 'about', 0.35, 1),
        ('joy', 1, 'joy', 'happy', 'about', 0.35, 1),
        ('pride', 1, 'joy', 'proud', 'of', 0, 1),
        ('relief', 1, 'joy', 'relieved', 'about', 0, 1),
        ('optimism', 1, 'joy', 'hopeful', 'about', 0, 1),
        ('amusement', 1, 'joy', 'amused', 'by', 0, 1),
        ('love', 1, 'affection', 'fond', 'of', 0, 0.5),
        ('gratitude', 1, 'affection', 'grateful', 'for', 0, 0.5),
        ('admiration', 1, 'affection', 'impressed', 'by', 0, 0.5),
        ('caring', 1, 'affection', 'caring', 'about', 0, 0.5),
        ('desire', 1, 'affection', 'longing', 'for', 0, 0.5),
        ('approval', 1, 'affection', 'pleased', 'with', 0, 0.5)
$$;
