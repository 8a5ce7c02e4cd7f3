"""The scrub of a nightly run: rows erased since the last scrub are overwritten (docs/erasure.md)."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

import psycopg
import structlog
from psycopg.types.json import Jsonb

from memory_service.config import Settings
from memory_service.connect import find_database
from memory_service.erasure.scrub import WAIT_SECONDS, ScrubRunning, scrub_database
from memory_service.errors import MemoryServiceError, no_answer
from memory_service.logs import unexpected

if TYPE_CHECKING:
    from memory_service.jobs.job_run import JobRun

log = structlog.get_logger()


def scrub_recorded(settings: Settings, job_run: JobRun) -> bool:
    """Scrub the server of these settings and write the row of job_run; whether there is one: none without an
    administrator's login, and none while another process scrubs. Blocks. Errors: DatabaseUnavailable."""
    with closing(find_database(settings)) as access:
        if access.admin_url is None:
            return False
        began = time.monotonic()
        try:
            with psycopg.connect(access.admin_url, autocommit=True) as connection:
                done = scrub_database(connection, settings, WAIT_SECONDS)
        except ScrubRunning:
            return False
        except (MemoryServiceError, psycopg.Error) as error:
            known = isinstance(error, MemoryServiceError)
            if not known:
                log.error("the scrub failed", **unexpected(error))  # noqa: TRY400 - its message may quote text
            job_run.failed = 1
            job_run.error = f"{job_run.name}: {error if known else type(error).__name__}"
        else:
            job_run.counts.update(scrubbed=len(done.erasure_ids), rewritten_tables=done.tables)
        job_run.seconds = time.monotonic() - began
        try:
            with psycopg.connect(access.admin_url) as connection:
                connection.execute("select memory_internal.record_job_runs(%s)", (Jsonb([job_run.row()]),))
        except psycopg.OperationalError as error:
            raise no_answer(error) from error
    return True
