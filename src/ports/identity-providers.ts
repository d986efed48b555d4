/** A company's own OpenID Connect provider, and what it knows us by. */
export interface ProviderConnection {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where people come back to; the provider compares it to the letter. */
  readonly redirectUri: string;
}

/** What ties an answer of the provider to the question: all random, and used once. */
export interface SignInChallenge {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** What a browser brought back from the provider. */
export interface ProviderAnswer {
  readonly code: string;
  readonly state: string;
  /** The provider's own name for itself, if it says it. */
  readonly issuer: string | null;
}

/** Somebody as their provider knows them. */
export interface KnownPerson {
  readonly issuer: string;
  /** Names the person for ever, whatever their address becomes. */
  readonly subject: string;
  /** In lower case; null: the provider does not say one, or has not verified it. */
  readonly verifiedEmail: string | null;
  readonly firstName: string;
  readonly lastName: string;
}

/** Asks the OpenID Connect providers of companies who somebody is. */
export abstract class IdentityProviders {
  /** What is wrong with an issuer, in words that go on after its name, or null. Nobody is asked. */
  abstract problemOf(issuer: string): string | null;

  /**
   * The page of the provider on which somebody signs in, always http or https.
   *
   * @throws AppError `invalid_input` when there is no provider that can be used, `unavailable` when it can't be reached.
   */
  abstract pageFor(connection: ProviderConnection, challenge: SignInChallenge): Promise<string>;

  /**
   * Redeems the code, and checks all that the provider says of the person.
   *
   * @throws AppError `forbidden` when the provider or a check refuses, `unavailable` when it can't be reached.
   */
  abstract personFrom(
    connection: ProviderConnection,
    challenge: SignInChallenge,
    answer: ProviderAnswer,
  ): Promise<KnownPerson>;
}
