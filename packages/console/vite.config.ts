import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressedFiles } from "./scripts/compressed-files.ts";

export default defineConfig({
  plugins: [react(), compressedFiles()],
  build: {
    target: "es2023",
    // The first that know light-dark(): taken apart for older ones, it would be black on every ground.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    // Data addresses would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // For work on the console itself: the gateway runs beside it.
  server: {
    host: "127.0.0.1",
    // The host stays, so that requests come from a page of the console.
    proxy: Object.fromEntries(
      ["/api", "/v1", "/v1beta"].map((path) => [path, { target: "http://127.0.0.1:8080", changeOrigin: false }]),
    ),
  },
});
