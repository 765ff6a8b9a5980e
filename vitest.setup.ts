import fc from "fast-check";

/**
 * Properties draw the same values in every run, so that a red test is a change's own. `INTERLINGUA_SEED` draws others:
 * a number, or `random`.
 */
const wish = process.env.INTERLINGUA_SEED;
if (wish !== "random") fc.configureGlobal({ seed: wish ? Number(wish) : 20_261_121 });
