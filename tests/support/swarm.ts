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
  /** The answer's own id where it was to be kept, and which turn of its conversation it is, the first being 1. */
  kept?: { id: string; turn: number };
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
  /** The call id of each answer that was to be kept and has begun, by the answer's own id. */
  readonly kept: ReadonlyMap<string, string>;
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
  /** Some calls of the responses protocol have their answer kept, and some of those go on from the one before. */
  keep?: boolean;
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
  /** The answer is to be kept; `goesOn`: it goes on from the client's last one that was. */
  keeping: { goesOn: boolean } | undefined;
}

const keepers = protocolNames.filter((protocol) => protocol !== "responses");

function drawBehaviour(random: SeededRandom, keep: boolean): Behaviour {
  const plain = drawPlain(random);
  if (!keep || !random.chance(0.3)) return plain;
  const keeping = { goesOn: random.chance(0.6) };
  return { ...plain, protocol: "responses", model: `kept-${random.pick(keepers)}`, keeping };
}

function drawPlain(random: SeededRandom): Behaviour {
  return {
    protocol: random.pick(protocolNames),
    model: `to-${random.pick(protocolNames)}`,
    stream: random.chance(0.5),
    leavesAt: random.chance(0.2) ? random.between(0, 2500) : undefined,
    slowMs: random.chance(0.1) ? random.between(5, 60) : 0,
    keeping: undefined,
  };
}

/** Starts the clients. The n-th call of each is the same for the same seed; what becomes of it is not. */
export function startSwarm(options: SwarmOptions): Swarm {
  const { clients, seed, position = () => 0, keep = false } = options;
  const log = options.acknowledgedFile === undefined ? undefined : openDurableLog(options.acknowledgedFile);
  const acknowledged: Acknowledged[] = [];
  const ids = new Map<string, string>();
  const kept = new Map<string, string>();
  const ends = new Map<string, number>();
  const running = new Set<ClientCall>();
  let started = 0;
  let stopped = false;

  const client = async (number: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let last: Acknowledged["kept"];
    for (let turn = 0; !stopped; turn++) {
      const random = seededRandom(`${seed}/${number}/${turn}`);
      const behaviour = drawBehaviour(random, keep);
      const call: ClientCall = { marker: `mark-${seed}-${number}-${turn}`, stream: behaviour.stream, bytes: 0 };
      running.add(call);
      started += 1;
      const before = behaviour.keeping?.goesOn && last && last.turn < longestConversation ? last : undefined;
      const { end, callId, answerId } = await makeCall(options, agent, behaviour, call, {
        after: before?.id,
        begun: (id) => ids.set(call.marker, id),
        answering: (id, answer) => kept.set(answer, id),
      });
      if (end === "acknowledged" && callId !== undefined) {
        const line: Acknowledged = { callId, marker: call.marker, position: position() };
        if (answerId !== undefined) {
          last = { id: answerId, turn: (before?.turn ?? 0) + 1 };
          line.kept = last;
        }
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
    kept,
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
  /** The answer's own id, where it was to be kept and has begun. */
  answerId: string | undefined;
}

interface CallHooks {
  /** The kept answer that the call goes on from. */
  after: string | undefined;
  begun(callId: string): void;
  answering(callId: string, answerId: string): void;
}

/** All items of such a conversation are listed on one page. */
const longestConversation = 40;

function makeCall(
  { target, key }: SwarmOptions,
  agent: Agent,
  behaviour: Behaviour,
  call: ClientCall,
  { after, begun, answering }: CallHooks,
): Promise<CallEnd> {
  const { protocol, model, stream, leavesAt, slowMs, keeping } = behaviour;
  const { marker } = call;
  const { path, headers, body } = markedRequest({ protocol, model, stream, marker, key, keep: !!keeping, after });
  return new Promise((resolve) => {
    let callId: string | undefined;
    let answerId: string | undefined;
    const ended = (end: string) => resolve({ end, callId, answerId });
    const request = httpRequest(target + path, { method: "POST", agent, headers });
    const leave = () => {
      ended("left");
      request.destroy();
    };
    request.on("error", () => ended("broken"));
    request.on("response", (answer: IncomingMessage) => {
      const id = answer.headers["x-request-id"];
      callId = typeof id === "string" ? id : undefined;
      if (callId !== undefined) begun(callId);
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => {
        text += piece;
        call.bytes += Buffer.byteLength(piece);
        if (keeping && callId !== undefined && answerId === undefined) {
          answerId = /"id":\s?"(resp_\w+)"/.exec(text)?.[1];
          if (answerId !== undefined) answering(callId, answerId);
        }
        // Seen here and now: what comes after the mark, or does not, changes nothing.
        if (stream && answer.statusCode === 200 && endSeen(protocol, text)) ended("acknowledged");
        else if (leavesAt !== undefined && call.bytes >= leavesAt) leave();
        if (slowMs > 0) {
          answer.pause();
          setTimeout(() => answer.resume(), slowMs);
        }
      });
      answer.on("error", () => ended("broken"));
      answer.on("close", () => {
        if (!answer.complete) ended("broken");
        else if (answer.statusCode !== 200) ended(`${answer.statusCode} ${codeOf(text)}`);
        else if (stream) ended(`broke off ${codeOf(text)}`);
        else ended("acknowledged");
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
