/** What `#policy-effects/<network>` is in a browser's build: nothing, so that no bundle holds what only agents need. */
export const policyEffects = undefined
