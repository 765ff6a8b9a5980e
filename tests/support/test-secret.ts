/** The installation's secret of gateways that these tests start. */
export const testSecret = { INTERLINGUA_SECRET: "a secret of the tests, long enough to be one" };
