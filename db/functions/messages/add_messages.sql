-- Inserts several messages of one conversation, all or none (add_message), and returns their ids in order.
create or replace function memory_api.add_messages(
    bank text, conversation text, agent text, lane integer,
    ids uuid[], client_ids text[], roles text[], names text[], contents text[], occurred timestamptz[],
    metadata text[], at timestamptz default now())
returns uuid[]
language plpgsql as $$
declare
    message_ids uuid[] := '{}';
begin
    for i in 1 .. cardinality(ids) loop
        message_ids := message_ids || memory_api.add_message(
            bank, conversation, agent, lane, ids[i], client_ids[i], roles[i], names[i], contents[i], occurred[i],
            metadata[i], at);
    end loop;
    return message_ids;
end $$;
