import type { SignIn, SignInOptions } from "./sign-in.ts";

/** Signing in, loaded when somebody first asks for it: the library takes half a second, which a start does not wait for. */
export function createLazySignIn(options: SignInOptions): SignIn {
  let loading: Promise<SignIn> | undefined;
  const load = () => {
    loading ??= import("./sign-in.ts").then(({ createSignIn }) => createSignIn(options));
    return loading;
  };
  return {
    handle: async (request, provider) => (await load()).handle(request, provider),
  };
}
