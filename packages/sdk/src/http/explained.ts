import { notThePlatform } from './explain-unreachable.ts'
import type { HttpCallPorts } from './http-call.ts'

/** How a program outside of pages reaches its platform, with errors that name the address while no call has been answered yet. */
export const explained = (baseUrl: string): Pick<HttpCallPorts, 'baseUrl' | 'explain'> => ({
  baseUrl,
  explain: (failed) =>
    failed.code === 'invalid_answer'
      ? notThePlatform(baseUrl, failed)
      : {
          ...failed,
          message: `The service at ${baseUrl} could not be reached: check baseUrl, and that the platform runs.`,
        },
})
