-- Creates the roles. Roles belong to the cluster: a migration of another database may create them concurrently.
-- memory_owner owns all objects and cannot log in; memory_service logs in without special privileges and is subject to row
-- security. Tables do not FORCE row security: security definer functions run as the owner, with the bank in their predicates.
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
    -- If the administrator is not a superuser, creating a role does not allow SET ROLE to it.
    if not pg_has_role(current_user, 'memory_owner', 'set') then
        begin
            execute format('grant memory_owner to %I with inherit true, set true', current_user);
        exception when insufficient_privilege then
            raise exception using errcode = 'insufficient_privilege', message = format(
                'another administrator created the role memory_owner; let them run: '
                'grant memory_owner, memory_service to %I with admin option, inherit true, set true', current_user);
        end;
    end if;
    execute format('grant create, connect on database %I to memory_owner', current_database());
    execute format('grant connect on database %I to memory_service', current_database());
end $$;
