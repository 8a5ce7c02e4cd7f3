-- Roles are the cluster's, not the database's: another database may have made them already, also at this moment.
-- memory_owner owns every object and can not log in; memory_service logs in, has no special rights and is
-- subject to row security. The owner is not FORCEd: search functions run as it, with the bank in their predicate.
do $$
begin
    begin
        create role memory_owner nologin;
    exception when duplicate_object or unique_violation then null;
    end;
    begin
        create role memory_service login;
    exception when duplicate_object or unique_violation then null;
    end;
    -- On servers where the administrator is no superuser, creating a role gives no right to act as it.
    if not pg_has_role(current_user, 'memory_owner', 'set') then
        begin
            execute format('grant memory_owner to %I with inherit true, set true', current_user);
        exception when insufficient_privilege then
            raise exception using errcode = 'insufficient_privilege', message = format(
                'another administrator made the role memory_owner; let them run: '
                'grant memory_owner, memory_service to %I with admin option, inherit true, set true', current_user);
        end;
    end if;
    execute format('grant create, connect on database %I to memory_owner', current_database());
    execute format('grant connect on database %I to memory_service', current_database());
end $$;
