import "./app/start-texts.ts";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./app/global.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { whenSignedOut } from "./api/client.ts";
import { createQueryClient } from "./api/query-client.ts";
import { createConsoleRouter } from "./app/router.tsx";
import { meQuery } from "./app/session.ts";
import { styleNonce } from "./app/style-nonce.ts";
import { colours, theme } from "./app/theme.ts";

const nonce = styleNonce();
setNonce(nonce);
const queries = createQueryClient();
const router = createConsoleRouter(queries);
whenSignedOut(() => {
  queries.setQueryData(meQuery.queryKey, null);
  void router.invalidate();
});

const root = document.getElementById("root");
if (!root) throw new Error("The page has no place for the console");
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={colours} getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
