/** By which of several forms a network's transaction is signed; Cosmos has one beside its own. */
export type SignMode = 'amino_json'
