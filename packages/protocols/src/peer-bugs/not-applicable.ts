/** A bug of a peer that no test here is named after. */
export interface NotApplicable {
  /** Its number in the list of peers' bugs. */
  bug: number;
  reason: string;
  /** The test that holds the law all the same: its file from the root of the repository, and words of its name. */
  heldBy: { file: string; test: string };
}

export const notApplicable: readonly NotApplicable[] = [
  {
    bug: 33,
    reason: "What goes to a counter of tokens is a function of its own, with its own test.",
    heldBy: {
      file: "packages/protocols/src/messages/codec.test.ts",
      test: "33 the vendor's counter gets no field that it refuses",
    },
  },
  {
    bug: 97,
    reason: "The same protocol on both sides is not converted: no codec takes part, the relay hands bytes on.",
    heldBy: {
      file: "packages/gateway/src/relay/relay.test.ts",
      test: "hands on the upstream's frames byte for byte",
    },
  },
  {
    bug: 106,
    reason: "A caller that leaves is a matter of sockets, not of protocols.",
    heldBy: {
      file: "packages/gateway/src/relay/stream-lane.test.ts",
      test: "C1 a caller who leaves aborts the upstream in the same tick",
    },
  },
  {
    bug: 141,
    reason: "How long an answer is read on for a caller that left is a setting of the relay.",
    heldBy: {
      file: "packages/gateway/src/relay/bill.test.ts",
      test: "drain: pays what the upstream tells at its end",
    },
  },
];
