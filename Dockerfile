# The image of the service, with the console, the reference and the migrations.
#
#   docker build --tag keyfront .
#   docker run --rm --publish 3000:3000 --env DATABASE_URL=embedded --env KEYFRONT_DEMO=on keyfront    # a trial with demo data
#   docker buildx build --sbom=true --provenance=true --tag registry.example/keyfront:1.0.0 --push .
#
# Both steps of the build are scripts of the repository, and a test runs them without a container.

# With a compiler: on arm64, libsecp256k1 is compiled.
FROM node:24-bookworm AS build
WORKDIR /src
COPY . .
RUN node scripts/setup.mjs
RUN node scripts/install-server.mjs /opt/keyfront

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Keyfront" \
  org.opencontainers.image.description="REST service for holders of digital-key tokens and the storefronts built for them" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  KEYFRONT_DATA=/data
COPY --from=build /opt/keyfront /opt/keyfront
# The only folder that the service writes to. With DATABASE_URL and S3_BUCKET it stays empty. A new volume gets the owner of the
# folder that it covers, so the folder of images exists for the volume of the Compose file.
RUN mkdir --parents /data/images && chown --recursive node:node /data
VOLUME /data
WORKDIR /opt/keyfront
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "node_modules/@keyfront/server/bin/keyfront-server.js"]
