import { useCallback, useRef } from "react";
import { api, unwrap } from "../../api/client.ts";

/** How long before its end a key is replaced. */
const marginMs = 60_000;

interface Held {
  account: string;
  secret: string;
  expiresAt: number;
}

/** The secret of the page's own key, in memory alone: asked for when it is needed first, and anew when it has ended. */
export function usePlaygroundKey(account: string): (options?: { fresh?: boolean }) => Promise<string> {
  const held = useRef<Held>(undefined);
  return useCallback(
    async ({ fresh = false } = {}) => {
      const known = held.current;
      if (!fresh && known?.account === account && known.expiresAt - marginMs > Date.now()) return known.secret;
      const { secret, expires_at: expiresAt } = await unwrap(
        api.POST("/api/v1/accounts/{account}/playground-key", { params: { path: { account } } }),
      );
      held.current = { account, secret, expiresAt };
      return secret;
    },
    [account],
  );
}
