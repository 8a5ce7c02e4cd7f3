-- Returns the factor by which an attribute scales the decay of a fact's confidence (decay_exponent):
--   0     permanent: names, birth, origin, family ties, allergies, chronic conditions. No decay.
--   0.05  lasting: home, work, partner, pets, languages, diet, instructions, things of one's own (`owns`). At
--         importance 0.5 the half-life is 3.8 years.
--   0.1   slow: tastes, things that one has or drives (`has`, `drives`), tools, skills, studies, schedules (yoga_day),
--         and commits without an attribute (decay_attribute). Half-life 1.9 years.
--   1     all others, and extracted facts without an attribute. Half-life 69 days.
-- The lists name every attribute of memory_service/rules/facts/attribute_names.py explicitly
-- (tests/db/test_decay_factor.py); other attributes, invented by a language model, are matched by their first and last
-- word. plpgsql prevents inlining: is_believed is inlined into six statements of a recall that are planned each
-- time, and inlining these lists as well made planning 1 ms longer. A call takes 0.3 us: constant lists are hashed;
-- patterns took five times as long. `cost 1`, the cost of a plain expression, keeps plans unchanged.
create or replace function memory_internal.decay_factor(attribute text) returns double precision
language plpgsql immutable parallel safe cost 1 as $$
begin
    return case
        when attribute is null then 1::double precision
        when attribute = any ('{name,birthday,birth_year,born_in,born_in_country,native_language,blood_type,from,nationality,
                                grew_up_in,ethnicity,child,sibling,parent,mother,father,grandparent,grandmother,grandfather,
                                grandchild,aunt,uncle,cousin,niece,nephew,kin_name,studied_at,allergic_to,intolerant_to,
                                has_condition,died,has_died}') then 0
        when attribute = any ('{lives_in,lives_in_country,lives_with,address,works_at,works_as,manager,colleague,team,partner,
                                relationship_status,relationship_status_is_not,pet,friend,best_friend,neighbor,roommate,
                                doctor,preferred_name,pronouns,phone,email,diet,diet_is_not,does_not_eat,does_not_drink,
                                does_not_smoke,smokes,religion,speaks,instruction,timezone,owns,kin_age,
                                works_in,height,takes_medicine,
                                does_not_work_as,not_allergic_to,does_not_have_condition,
                                identity,identity_is_not,separated,has_been_to,exam}') then 0.05
        when attribute = any ('{likes,dislikes,prefers,preference,eats,drinks,avoids,fears,trusts,distrusts,supports,rejects,
                                values,believes_in,plays,uses,drives,has,skill,studies,studies_at,school_grade,age,member_of,
                                habit,routine,collects,hobby,learns,phone_model,weight,rent,salary,hourly_rate,
                                day_rate,committed}') then 0.1
        when attribute = any ('{is,is_not,goal,plan,mood,feels,needs,wants,current_project,works_on,visiting}') then 1
        when attribute like 'number\_of\_%' then 0.05
        when split_part(attribute, '_', -1) = any ('{birthday,birthdate,birthplace,anniversary,allergy,allergies,intolerance,
                                intolerances,mother,father,mom,mum,dad,parent,parents,brother,brothers,sister,sisters,sibling,
                                siblings,son,sons,daughter,daughters,child,children,kid,kids,aunt,uncle,cousin,cousins,niece,
                                nephew,grandmother,grandfather,grandson,granddaughter,stepmother,stepfather,twin,twins}')
            or split_part(attribute, '_', 1) = 'chronic'
            or split_part(attribute, '_', -1) in ('name', 'law')
               and split_part(attribute, '_', 1) = any ('{mother,father,mom,mum,dad,parent,brother,sister,sibling,son,daughter,
                                child,kid,aunt,uncle,cousin,niece,nephew,grandmother,grandfather,grandson,granddaughter,
                                stepmother,stepfather,twin,half,grand,great,step,maiden,birth}') then 0
        when split_part(attribute, '_', -1) = any ('{name,names,home,city,address,job,profession,occupation,employer,company,
                                partner,pet,pets,phone,email,language,languages,diet,religion,pronouns,timezone,instruction,
                                instructions,rule,rules,manager,boss,team,doctor,dentist,therapist,landlord,age}') then 0.05
        when split_part(attribute, '_', 1) = any ('{favorite,preferred,usual,default,primary,owns,uses,likes,dislikes,prefers}')
            or split_part(attribute, '_', -1) = any ('{preference,preferences,tool,tools,editor,framework,database,system,
                                hobby,hobbies,style,brand,routine,habit,habits,skill,skills,day,days,
                                time}') then 0.1
        else 1
    end;
end $$;
