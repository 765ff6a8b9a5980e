/** The gateway as a library: what a program needs that runs one itself. */
export { type Gateway, type GatewayOptions, startGateway } from "./app.ts";
export type { Config } from "./config/config.ts";
export { loadConfig } from "./config/load-config.ts";
export { systemPlatform } from "./platform.ts";
export { createLog } from "./telemetry/log.ts";
