-- Returns the kind of a role in a person's life, by its last word: sons and daughters are of one kind, as one person
-- may be called both (resolve_person).
create or replace function memory_internal.kind_of_role(role text) returns text
language sql immutable parallel safe as $$
    select case when last_word = any ('{son,daughter,child,kid,baby,boy,girl,twin,one,stepson,stepdaughter,eldest,oldest,
                                        youngest}') then 'child'
                when last_word = any ('{brother,sister,sibling}') then 'sibling'
                when last_word = any ('{dog,cat,puppy,kitten,rabbit,bunny,horse,pony,parrot,hamster,tortoise,bird,pet}')
                    then 'pet'
                when last_word = any ('{grandson,granddaughter,grandchild}') then 'grandchild'
                else last_word end
      from (select split_part(role, ' ', -1) as last_word) as words
$$;
