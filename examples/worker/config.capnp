# How workerd runs the worker on your own machine. `npm run build` makes dist/worker.js.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    ( name = "shop",
      worker = (
        modules = [(name = "worker.js", esModule = embed "dist/worker.js")],
        compatibilityDate = "2026-11-01",
        bindings = [
          (name = "KEYFRONT_URL", fromEnvironment = "KEYFRONT_URL"),
          (name = "KEYFRONT_API_KEY", fromEnvironment = "KEYFRONT_API_KEY"),
          (name = "KEYFRONT_SECRET_KEY", fromEnvironment = "KEYFRONT_SECRET_KEY"),
          (name = "KEYFRONT_WEBHOOK_SECRET", fromEnvironment = "KEYFRONT_WEBHOOK_SECRET"),
          (name = "SHOP_TOKEN", fromEnvironment = "SHOP_TOKEN"),
        ],
      )
    ),
    # `private` and `local`, because Keyfront may run on this machine.
    ( name = "internet",
      network = (allow = ["public", "private", "local"], tlsOptions = (trustBrowserCas = true))
    ),
  ],
  sockets = [(name = "http", address = "127.0.0.1:4000", http = (), service = "shop")],
);
