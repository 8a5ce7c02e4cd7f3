-- Returns the longest time for which a state of short duration is likely to last: a course of antibiotics, an
-- infection, a pregnancy; null for others. After it the fact is not in every context (recall_candidates). Called by
-- facts_ended_by too.
create or replace function memory_internal.longest_state(attribute text, value text) returns interval
language sql immutable parallel safe as $$
    select case when attribute = 'is' and value ~* '^(pregnant|expecting)\M' or attribute = 'is_expecting'
                    then interval '300 days'
                when attribute = 'takes_medicine'
                     and value ~* ('(cillin|mycin|cycline|oxacin|amoxiclav|cephalexin|metronidazole|nitrofurantoin|'
                                   'trimethoprim|antibiotics?|oseltamivir|tamiflu|paxlovid|acyclovir|aciclovir)\M')
                    then interval '30 days'
                when attribute = 'has_condition'
                     and value ~* ('^(an? |the )?((bad|nasty|heavy|terrible) )?(flu|cold|covid\S*|strep( throat)?|tonsillitis|'
                                   'bronchitis|pneumonia|sinusitis|chickenpox|shingles|norovirus|stomach bug|food poisoning|'
                                   '(ear|chest|throat|kidney|bladder|urinary tract) infection|uti|fever|gastroenteritis)$')
                    then interval '30 days' end
$$;
