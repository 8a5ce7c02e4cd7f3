-- Creates the roles. Roles belong to the cluster: a migration of another database may create them concurrently.
-- memory_owner owns all objects and cannot log in; memory_service logs in without special privileges and is subject to
-- row security. memory_analyst is the group of the analysts' logins, which see the banks of memory.analyst_grant;
-- memory_reader sees the banks that its session names, and is entered by the service's login for `memory-service sql`.
-- Tables do not FORCE row security: security definer functions run as the owner, with the bank in their predicates.
do $$
declare
    definition text;
begin
    foreach definition in array
        array['memory_owner nologin', 'memory_service login', 'memory_analyst nologin', 'memory_reader nologin']
    loop
        begin
            execute 'create role ' || definition;
        exception when duplicate_object or unique_violation then null;
        end;
    end loop;
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
    -- inherit false: the policies of memory_reader apply only after `set role`.
    if not pg_has_role('memory_service', 'memory_reader', 'member') then
        begin
            grant memory_reader to memory_service with inherit false, set true;
        exception when unique_violation then null;  -- another migration granted it
        end;
    end if;
    execute format('grant create, connect on database %I to memory_owner', current_database());
    execute format('grant connect on database %I to memory_service, memory_analyst', current_database());
end $$;
