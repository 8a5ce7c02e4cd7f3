-- Merges a patch into the settings at the top level; a null removes the key, so its default holds again. In another
-- language the words of all its memories are written anew. With another subject, facts about that name become facts about
-- the user (memory_internal.assign_subject).
create or replace function memory_api.update_bank(bank text, patch jsonb, at timestamptz default now())
returns setof memory.bank
language plpgsql as $$
declare
    spoken text;
    called text;
    changed memory.bank;
begin
    perform memory_internal.require_bank(bank);
    select b.settings ->> 'language', b.settings ->> 'subject' into spoken, called from memory.bank b where b.bank_id = bank for no key update;
    update memory.bank b
       set settings = jsonb_strip_nulls(b.settings || patch), updated_at = at
     where b.bank_id = bank
    returning b.* into changed;
    if changed.settings ->> 'language' is distinct from spoken then
        perform memory_internal.index_episode_words(
            bank, array(select t.memory_id
                          from memory.memory_text t
                         where t.bank_id = bank and t.tier = 'episodic'
                         order by t.memory_id));
        perform memory_internal.index_fact_words(
            bank, array(select t.memory_id from memory.memory_text t where t.bank_id = bank and t.tier = 'semantic'));
    end if;
    if changed.settings ->> 'subject' is distinct from called then
        perform memory_internal.assign_subject(bank, at);
    end if;
    perform memory_internal.mark_bank_due(bank, 0, at);
    return next changed;
end $$;
