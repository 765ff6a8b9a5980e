import { strict as assert } from "node:assert";
import fc from "fast-check";
import { type JsonObject, ProtocolError, protocolNames } from "../../packages/protocols/src/canonical/index.ts";
import { carry } from "../../packages/protocols/src/testing/carrying.ts";
import { sides } from "../../packages/protocols/src/testing/protocol-sides.ts";
import { replayed } from "../../packages/protocols/src/testing/replay.ts";
import type { Target } from "./target.ts";
import {
  answered,
  damaged,
  damages,
  firstBody,
  isBroken,
  mended,
  received,
  refusalOf,
  scripts,
  upstreamModels,
} from "./turns.ts";

const name = fc.constantFrom(...protocolNames);

const secondTurns: Target = {
  name: "second turns at a strict provider",
  property: (watch) =>
    fc.property(name, name, name, scripts, fc.boolean(), damages, (client, first, second, script, stream, made) => {
      fc.pre(client !== second);
      const body = firstBody(client, stream);
      const ask = (to: typeof first, asked: JsonObject) =>
        carry(sides[client], sides[to], asked, { model: upstreamModels[to], stream });
      const conversion = ask(first, body);
      assert.equal(refusalOf(first, conversion.upstreamBody), undefined, "the first turn is refused");
      const answer = answered(first, conversion.upstreamBody, script);
      const next = damaged(client, replayed(client, body, received(client, conversion, answer, stream)), made);
      watch(JSON.stringify(next).length, () => {
        try {
          const sent = ask(second, next);
          // A proof that stands where it was not issued may be refused: then it goes, with a notice.
          const again = made.length > 0 ? mended(second, sent.upstreamBody) : undefined;
          const upstreamBody = again?.body ?? sent.upstreamBody;
          const notices = [...sent.notices, ...(again?.notices ?? [])];
          const refusal = refusalOf(second, upstreamBody);
          assert.equal(refusal, undefined, `refused: ${JSON.stringify(refusal)} for ${JSON.stringify(upstreamBody)}`);
          if (isBroken(client, next)) assert.ok(notices.length > 0, "the damage is mended without a word");
        } catch (cause) {
          if (!(cause instanceof ProtocolError)) throw cause;
          const { status, param, message } = cause.error;
          assert.ok(status === 400 && param !== undefined && message !== "", `refused without a field: ${message}`);
          assert.ok(made.length > 0, `a sound history is refused: ${message} ${param}`);
        }
      });
    }),
};

export const turnTargets: readonly Target[] = [secondTurns];
