/** The drafts behind the policy editor, for tests of other packages. */
export { draftOf, policyOf, rulesDraftOf, rulesOf } from '../policy/policy-draft.ts'
