import { z } from "zod";
import { isAddressRange } from "./address-ranges.ts";

const hostWithPort = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;

const destination = z
  .string("must be a text")
  .transform((text) => text.toLowerCase())
  .refine(
    (text) => isAddressRange(text) || hostWithPort.test(text),
    "must be a host such as ollama.lan or ollama.lan:11434, an address, or a range such as 10.1.0.0/16",
  );

/** Where channels that are made in the console, and addresses of media, may lead beside public addresses by https. */
export const outboundSchema = z.strictObject({
  allow: z
    .array(destination, "must be a list of hosts, addresses or ranges")
    .max(1000, "must not hold more than 1000 destinations")
    .default([]),
});
