/** The seller of `npm run example:x402`, for tests. */
export { type FilledOrder, type Merchant, startMerchant } from '../x402/x402-merchant.ts'
