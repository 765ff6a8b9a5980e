/** Characters of a password, at least; the gateway decides. */
export const leastPassword = 12;
