-- Returns the numbers of a text that identify something rather than count or measure it, in order: "server 10 runs
-- Debian", "Person5", "works at company 5", "ticket ABC-12", but not "has 3 cats", "starts at 10". Texts with
-- different identifying numbers are about different things (contradiction_rules). In doubt a number identifies,
-- because a wrong conflict lowers the confidence of a true fact:
--   part of a word, except a unit (10am, 5km); before the first verb, in the subject;
--   after a capitalized word (Model 3), a noun that is usually numbered (room 4), or a noun after a preposition or
--   article
create or replace function memory_internal.identifying_numbers(content text) returns text[]
language plpgsql immutable parallel safe as $$
declare
    number constant text := '^([0-9].*|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|'
        || 'fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)$';
    unit constant text := '^[0-9][0-9.,:/]*(am|pm|km|kg|cm|mm|m|g|l|ml|h|min|k|st|nd|rd|th|mb|gb|tb|x)?$';
    verbs constant text[] := '{is,are,am,was,were,has,have,had,can,will,does,do,must,should,would,may,might,m,re,ve,ll}';
    pronouns constant text[] := '{i,we,you,they}';
    openers constant text[] := '{at,in,on,the,a,an,this,that,my,his,her,their,our,your,from,to,for,of,with,by,via,per,using}';
    hedges constant text[] := '{about,around,over,under,nearly,only,exactly,roughly,almost,least,most,than,last,next,first,
        every,past,all,up,just,some}';
    numbered constant text[] := '{room,floor,apartment,flat,gate,line,bus,tram,train,platform,flight,server,node,host,machine,
        port,version,release,chapter,page,volume,episode,season,level,grade,class,team,group,unit,section,step,phase,stage,
        sprint,ticket,issue,bug,order,invoice,case,number,no,nr,id,company,person,user,customer,client,project,task,lab,
        building,house,street,road,route,highway,zone,district,type,model,exhibit,table,figure,question,option,plan,build,
        branch,channel,slot,bed,seat,row,box,shelf,account,contract,file,record,item,test,part,lane,track,exit,locker}';
    tokens constant text[] := array(
        select m[1] from regexp_matches(content, '([[:alnum:]]+(?:[-#._/:][[:alnum:]]+)*)', 'g') as m);
    token text;
    previous text;
    after_verb boolean := false;
    found text[] := '{}';
    i integer;
begin
    for i in 1 .. cardinality(tokens) loop
        token := lower(tokens[i]);
        previous := lower(tokens[i - 1]);
        if token ~ number or token ~ '[0-9]' then
            if token ~ '[0-9]' and token ~ '[[:alpha:]]' and token !~ unit
               or not after_verb
               or tokens[i - 1] ~ '^[[:upper:]]' and previous <> all (pronouns)
               or previous = any (numbered)
               or lower(tokens[i - 2]) = any (openers) and previous <> all (openers || hedges || verbs) then
                found := found || token;
            end if;
        elsif token = any (verbs) or previous = any (pronouns)
              or i > 1 and tokens[i] ~ '^[a-z]+[^s]s$' and previous <> all (openers) then
            after_verb := true;
        end if;
    end loop;
    return found;
end $$;
