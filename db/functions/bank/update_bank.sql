-- Merges a patch into the top level of the settings; a null removes the key, so that its default applies again. A
-- new `language` re-indexes the words of all memories; a new `subject` turns facts about that name into facts about
-- the user (assign_subject); `emotional_thread` false ends the open thread (close_thread). Takes the bank lock.
create or replace function memory_api.update_bank(
    bank text, patch jsonb, at timestamptz default now(), actor text default 'operator', key text default null)
returns setof memory.bank
language plpgsql as $$
declare
    old_language text;
    old_subject text;
    updated memory.bank;
begin
    perform memory_internal.require_bank(bank);
    select b.settings ->> 'language', b.settings ->> 'subject' into old_language, old_subject
      from memory.bank b
     where b.bank_id = bank
       for no key update;
    if patch -> 'emotional_thread' = 'false' then
        perform memory_internal.close_thread(bank, 'switched_off', actor, at);
    end if;
    update memory.bank b
       set settings = jsonb_strip_nulls(b.settings || patch), updated_at = at
     where b.bank_id = bank
    returning b.* into updated;
    if updated.settings ->> 'language' is distinct from old_language then
        perform memory_internal.index_episode_words(
            bank, array(select t.memory_id
                          from memory.memory_text t
                         where t.bank_id = bank and t.tier = 'episodic'
                         order by t.memory_id));
        perform memory_internal.index_fact_words(
            bank, array(select t.memory_id from memory.memory_text t where t.bank_id = bank and t.tier = 'semantic'));
        update memory.procedural_memory p
           set words = memory_internal.procedure_words(bank, p.content, p.situation, p.steps)
         where p.bank_id = bank;
    end if;
    if updated.settings ->> 'subject' is distinct from old_subject then
        perform memory_internal.assign_subject(bank, at);
    end if;
    perform memory_internal.mark_bank_due(bank, 0, at);
    perform memory_internal.record_audit(
        'bank_changed', actor, key, bank, '{}',
        jsonb_build_object('settings', array(select jsonb_object_keys(patch) order by 1)), at);
    return next updated;
end $$;
