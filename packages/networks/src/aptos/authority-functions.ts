/** Modules of the framework of which every entry function changes who may act for an account. */
const modules = new Set([
  'account',
  'account_abstraction',
  'code',
  'keyless_account',
  'multisig_account',
  'object_code_deployment',
  'staking_proxy',
])

/** Functions of other modules that do. */
const functions = new Set([
  'delegation_pool::delegate_voting_power',
  'delegation_pool::set_beneficiary_for_operator',
  'delegation_pool::set_delegated_voter',
  'delegation_pool::set_operator',
  'stake::initialize_stake_owner',
  'stake::initialize_validator',
  'stake::rotate_consensus_key',
  'stake::set_delegated_voter',
  'stake::set_operator',
])

/** Those that hand the account itself over: new keys, capabilities, owners. */
const takeover =
  /^account::(?:rotate|offer|upsert)|^account_abstraction::(?:add|register)|^multisig_account::create_with_existing/

const takeoverWarning = 'Account takeover: this lets another key, account or program control this account.'
const authorityWarning = 'This changes who may act for this account or what its code does.'

/** The warning of a framework function (`module::name`) that changes authority; `undefined` for any other. */
export function authorityWarningOf(name: string): string | undefined {
  if (takeover.test(name)) return takeoverWarning
  const module = name.slice(0, name.indexOf('::'))
  return modules.has(module) || functions.has(name) ? authorityWarning : undefined
}
