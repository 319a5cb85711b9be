/** Second factors on pages of the application's own, on Express. */

import { confirmBy, enrolBy, newCodesBy, removeBy } from '../calls/factors.js'
import { begin, type CallRequest, type CallResponse } from '../calls/index.js'
import type { ServerAuthConfig } from '../types/config.js'
import type { ConfirmedFactor, FactorConfirmation, FactorSetup, FactorSetupOf } from '../types/factors.js'

/**
 * Begins to add a second factor to the person who is signed in: makes the key of an authenticator app, or mails a code. Nothing is stored
 * until {@link confirmFactor}. Check the form with `hasCsrfToken` before, here and below.
 *
 * @param type `totp` or `email`, of the option `factors`. Passkeys are added by the built-in page `two-factor/passkey?setup`.
 * @throws {@link ReauthenticationRequired} unless the person has signed in, with all that they have, within five minutes: send them to
 * `<basePath>/two-factor?setup&callbackUrl=…`. {@link InvalidRequest} where the kind is not configured, or there is no address to mail to;
 * {@link MissingCSRF} for a request from another site; {@link AdapterError}.
 *
 * @example
 * ```ts
 * const setup = await enrolFactor(req, res, config, 'totp')
 * ```
 */
export async function enrolFactor<T extends FactorSetup['factor']>(
  req: CallRequest,
  res: CallResponse,
  config: ServerAuthConfig,
  type: T,
): Promise<FactorSetupOf<T>> {
  return enrolBy(begin('enrolFactor', { req, res, config }), type)
}

/**
 * Adds a second factor, by its first code. The session goes up to level 2: another cookie is set on the response. With the first factor
 * come recovery codes, where those are configured.
 *
 * @returns `confirmed: false` for a wrong code, which is counted as at a sign-in. `recoveryCodes`: to be shown once.
 * @throws As {@link enrolFactor}; `TooManyRequests` after too many wrong codes; TypeError when headers are out.
 *
 * @example
 * ```ts
 * const { confirmed, recoveryCodes } = await confirmFactor(req, res, config, { type: 'totp', setup, code: req.body.code })
 * ```
 */
export async function confirmFactor(
  req: CallRequest,
  res: CallResponse,
  config: ServerAuthConfig,
  confirmation: FactorConfirmation,
): Promise<ConfirmedFactor> {
  return confirmBy(begin('confirmFactor', { req, res, config }), confirmation)
}

/**
 * Removes a second factor of the person who is signed in; of nobody else. With the last one the recovery codes go.
 *
 * @param id Of `getAccount().factors`.
 * @returns `false` where they have no such factor.
 * @throws As {@link enrolFactor}.
 */
export async function removeFactor(
  req: CallRequest,
  res: CallResponse,
  config: ServerAuthConfig,
  id: string,
): Promise<boolean> {
  return removeBy(begin('removeFactor', { req, res, config }), id)
}

/**
 * Makes new recovery codes for the person who is signed in. Those that they had do not work any more.
 *
 * @returns The codes: to be shown once. Nobody can read them later.
 * @throws As {@link enrolFactor}.
 */
export async function newRecoveryCodes(
  req: CallRequest,
  res: CallResponse,
  config: ServerAuthConfig,
): Promise<readonly string[]> {
  return newCodesBy(begin('newRecoveryCodes', { req, res, config }))
}
