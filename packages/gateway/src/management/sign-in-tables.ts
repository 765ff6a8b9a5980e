import type { BetterAuthOptions } from "better-auth";

/*
 * The names that the tables of migration 0004 have, for the sign-in library: its "account" is a way to sign in, which we
 * call a credential, since an account is what calls are charged to.
 */

const times = { createdAt: "created_at", updatedAt: "updated_at" } as const;

export const userTable = {
  modelName: "user",
  fields: { ...times, emailVerified: "email_verified" },
} satisfies BetterAuthOptions["user"];

export const sessionTable = {
  modelName: "user_session",
  fields: {
    ...times,
    userId: "user_id",
    expiresAt: "expires_at",
    ipAddress: "ip_address",
    userAgent: "user_agent",
  },
  additionalFields: {
    seenAt: { type: "date", fieldName: "seen_at", required: true, input: false, returned: false },
  },
} satisfies BetterAuthOptions["session"];

export const credentialTable = {
  modelName: "user_credential",
  fields: {
    ...times,
    userId: "user_id",
    accountId: "account_id",
    providerId: "provider_id",
    accessToken: "access_token",
    refreshToken: "refresh_token",
    idToken: "id_token",
    accessTokenExpiresAt: "access_token_expires_at",
    refreshTokenExpiresAt: "refresh_token_expires_at",
  },
} satisfies BetterAuthOptions["account"];

export const verificationTable = {
  modelName: "user_verification",
  fields: { ...times, expiresAt: "expires_at" },
} satisfies BetterAuthOptions["verification"];

export const twoFactorTables = {
  user: { fields: { twoFactorEnabled: "two_factor_enabled" } },
  twoFactor: {
    modelName: "user_two_factor",
    fields: {
      userId: "user_id",
      backupCodes: "backup_codes",
      failedVerificationCount: "failed_verification_count",
      lockedUntil: "locked_until",
    },
  },
};

export const passkeyTables = {
  passkey: {
    modelName: "user_passkey",
    fields: {
      userId: "user_id",
      publicKey: "public_key",
      credentialID: "credential_id",
      deviceType: "device_type",
      backedUp: "backed_up",
      createdAt: "created_at",
    },
  },
};
