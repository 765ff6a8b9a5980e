import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { openDurableLog } from "./durable-log.ts";
import { endSeen } from "./end-seen.ts";
import { markedRequest } from "./marked-request.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";

/** A call whose end a client has seen. */
export interface Acknowledged {
  /** The call's id (`x-request-id`). */
  callId: string;
  marker: string;
  /** What `position` gave when the end was seen. */
  position: number;
}

/** A call as its client sees it. */
interface ClientCall {
  marker: string;
  stream: boolean;
  /** Bytes of the answer so far. */
  bytes: number;
}

/** Clients that call until they are told to stop. */
export interface Swarm {
  /** Calls begun so far. */
  readonly started: number;
  readonly acknowledged: readonly Acknowledged[];
  /** The call id of each marker whose answer has begun, whatever came of it. */
  readonly ids: ReadonlyMap<string, string>;
  /** How calls ended. */
  readonly ends: ReadonlyMap<string, number>;
  /** Calls that are under way. */
  running(): readonly ClientCall[];
  /** Lets running calls end and begins no more. */
  stop(): Promise<void>;
}

export interface SwarmOptions {
  /** Base address. */
  target: string;
  key: string;
  clients: number;
  seed: string | number;
  /** Where a line is written, synced to disk, for each call whose end was seen. */
  acknowledgedFile?: string;
  /** A place in some log, kept with each acknowledged call. */
  position?: () => number;
}

/** How one client makes one call. */
interface Behaviour {
  protocol: ProtocolName;
  model: string;
  stream: boolean;
  /** Leaves when so many bytes of the answer have come; undefined: stays. */
  leavesAt: number | undefined;
  /** Milliseconds that it waits before it reads on. */
  slowMs: number;
}

function drawBehaviour(random: SeededRandom): Behaviour {
  return {
    protocol: random.pick(protocolNames),
    model: `to-${random.pick(protocolNames)}`,
    stream: random.chance(0.5),
    leavesAt: random.chance(0.2) ? random.between(0, 2500) : undefined,
    slowMs: random.chance(0.1) ? random.between(5, 60) : 0,
  };
}

/** Starts the clients. The n-th call of each is the same for the same seed; what becomes of it is not. */
export function startSwarm(options: SwarmOptions): Swarm {
  const { clients, seed, position = () => 0 } = options;
  const log = options.acknowledgedFile === undefined ? undefined : openDurableLog(options.acknowledgedFile);
  const acknowledged: Acknowledged[] = [];
  const ids = new Map<string, string>();
  const ends = new Map<string, number>();
  const running = new Set<ClientCall>();
  let started = 0;
  let stopped = false;

  const client = async (number: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = 0; !stopped; turn++) {
      const random = seededRandom(`${seed}/${number}/${turn}`);
      const behaviour = drawBehaviour(random);
      const call: ClientCall = { marker: `mark-${seed}-${number}-${turn}`, stream: behaviour.stream, bytes: 0 };
      running.add(call);
      started += 1;
      const { end, callId } = await makeCall(options, agent, behaviour, call, (id) => ids.set(call.marker, id));
      if (end === "acknowledged" && callId !== undefined) {
        const line = { callId, marker: call.marker, position: position() };
        log?.append(line);
        acknowledged.push(line);
      }
      running.delete(call);
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if (end === "broken") await new Promise((resolve) => setTimeout(resolve, random.between(100, 500)));
    }
    agent.destroy();
  };
  const all = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));

  return {
    get started() {
      return started;
    },
    acknowledged,
    ids,
    ends,
    running: () => [...running],
    async stop() {
      stopped = true;
      await all;
      log?.close();
    },
  };
}

interface CallEnd {
  /** `acknowledged`, `left`, `broken` (the connection), or the status and what was told. */
  end: string;
  callId: string | undefined;
}

function makeCall(
  { target, key }: SwarmOptions,
  agent: Agent,
  behaviour: Behaviour,
  call: ClientCall,
  begun: (callId: string) => void,
): Promise<CallEnd> {
  const { protocol, model, stream, leavesAt, slowMs } = behaviour;
  const { path, headers, body } = markedRequest({ protocol, model, stream, marker: call.marker, key });
  return new Promise((resolve) => {
    let callId: string | undefined;
    const request = httpRequest(target + path, { method: "POST", agent, headers });
    const leave = () => {
      resolve({ end: "left", callId });
      request.destroy();
    };
    request.on("error", () => resolve({ end: "broken", callId }));
    request.on("response", (answer: IncomingMessage) => {
      const id = answer.headers["x-request-id"];
      callId = typeof id === "string" ? id : undefined;
      if (callId !== undefined) begun(callId);
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => {
        text += piece;
        call.bytes += Buffer.byteLength(piece);
        // Seen here and now: what comes after the mark, or does not, changes nothing.
        if (stream && answer.statusCode === 200 && endSeen(protocol, text)) resolve({ end: "acknowledged", callId });
        else if (leavesAt !== undefined && call.bytes >= leavesAt) leave();
        if (slowMs > 0) {
          answer.pause();
          setTimeout(() => answer.resume(), slowMs);
        }
      });
      answer.on("error", () => resolve({ end: "broken", callId }));
      answer.on("close", () => {
        if (!answer.complete) resolve({ end: "broken", callId });
        else if (answer.statusCode !== 200) resolve({ end: `${answer.statusCode} ${codeOf(text)}`, callId });
        else if (stream) resolve({ end: `broke off ${codeOf(text)}`, callId });
        else resolve({ end: "acknowledged", callId });
      });
    });
    request.end(body);
    if (leavesAt === 0) setTimeout(leave, slowMs);
  });
}

/** The error's code or kind in a body, whatever its family. */
function codeOf(text: string): string {
  return /"(?:code|status|type)":\s?"([a-z_A-Z]+)"/.exec(/"error"[\s\S]*/.exec(text)?.[0] ?? "")?.[1] ?? "";
}
