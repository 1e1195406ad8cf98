/** What a developer does about a key ring that is not the database's: one sentence. */
export const putBack = 'Put the right file back: until then, TEE wallets cannot sign.'
