/** The header in which the sign-in library gets the caller's address; one that a caller sends is never handed on. */
export const addressHeader = "x-interlingua-address";
