import { askSignIn } from "./sign-in.ts";

/** Whether this browser can use passkeys here: they are bound to a name, and an IP address is none. */
export function canUsePasskeys(): boolean {
  return "PublicKeyCredential" in window && window.isSecureContext && !/^[\d.]+$|^\[/.test(window.location.hostname);
}

/** Signs in by a passkey of this device. Throws an ApiError, or the browser's own error where the user says no. */
export async function signInByPasskey(): Promise<void> {
  // What the gateway tells is what browsers take.
  const options = (await askSignIn("GET", "/passkey/generate-authenticate-options")) as never;
  const credential = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
  });
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException("No passkey was chosen", "NotAllowedError");
  await askSignIn("POST", "/passkey/verify-authentication", { response: credential.toJSON() });
}

/** Makes a passkey on this device and tells the gateway of it. Throws as `signInByPasskey`. */
export async function addPasskey(name: string): Promise<void> {
  // As above.
  const options = (await askSignIn("GET", "/passkey/generate-register-options")) as never;
  const credential = await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
  });
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException("No passkey was made", "NotAllowedError");
  await askSignIn("POST", "/passkey/verify-registration", { response: credential.toJSON(), name });
}
