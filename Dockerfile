# A server for several on one PostgreSQL; compose.yaml starts three of them. What it needs is pinned with hashes. It has
# the table as plain files too, at /anywhere/, which a stage of its own builds.
FROM python:3.13-slim AS site
WORKDIR /infila
COPY requirements/site.txt requirements/
RUN pip install --no-cache-dir --require-hashes -r requirements/site.txt
COPY pyproject.toml README.md LICENSE ./
COPY infila infila
RUN pip install --no-cache-dir --no-deps --no-build-isolation . && infila site /site

FROM python:3.13-slim
WORKDIR /infila
COPY requirements/postgresql.txt requirements/
RUN pip install --no-cache-dir --require-hashes -r requirements/postgresql.txt
COPY pyproject.toml README.md LICENSE ./
COPY infila infila
COPY --from=site /site /site
RUN pip install --no-cache-dir --no-deps --no-build-isolation . \
    && useradd --create-home infila && mkdir /secret && chown infila /secret
USER infila
EXPOSE 4224
STOPSIGNAL SIGTERM
ENTRYPOINT ["infila", "serve", "--no-browser", "--host", "0.0.0.0", "--log-format", "json", "--site", "/site"]
