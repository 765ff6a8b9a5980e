import type { SignInData } from "../../../bench/installation/people.ts";

/** A session of the console: its cookies, and the token that goes with every change. */
export interface Session {
  cookies: { name: string; value: string }[];
  csrfToken: string;
}

/** Signs in by password, as the page does. */
export async function signIn(address: string, { email, password }: SignInData): Promise<Session> {
  const answer = await fetch(`${address}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: address },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`${email} cannot sign in: ${answer.status} ${await answer.text()}`);
  const cookies = answer.headers.getSetCookie().flatMap((cookie) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    return name !== undefined && value ? [{ name, value }] : [];
  });
  const me = await fetch(`${address}/api/v1/me`, { headers: { cookie: cookieHeader({ cookies }) } });
  // The shape that the API's document names.
  const { csrf_token: csrfToken } = (await me.json()) as { csrf_token: string };
  return { cookies, csrfToken };
}

/** The header that sends the session's cookies. */
export function cookieHeader({ cookies }: Pick<Session, "cookies">): string {
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}
