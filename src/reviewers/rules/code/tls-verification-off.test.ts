import { describe, expect, it } from "vitest";
import { tlsVerificationOff } from "#reviewers/rules/code/tls-verification-off.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

describe("tls-verification-off", () => {
  it.each([
    ["a.ts", "const agent = new Agent({ rejectUnauthorized: false });"],
    ["a.ts", 'process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";'],
    ["a.ts", 'process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";'],
    ["a.py", "requests.get(url, verify=False)"],
    ["a.py", "context = ssl._create_unverified_context()"],
    ["a.py", "context.verify_mode = ssl.CERT_NONE"],
    ["a.go", "tls.Config{InsecureSkipVerify: true}"],
    ["a.rs", "Client::builder().danger_accept_invalid_certs(true)"],
    ["a.php", "curl_setopt($c, CURLOPT_SSL_VERIFYPEER, false);"],
    ["a.rb", "http.verify_mode = OpenSSL::SSL::VERIFY_NONE"],
    ["a.sh", "curl -sk https://example.org"],
    ["a.sh", "curl --insecure https://example.org"],
    ["Dockerfile", "RUN wget --no-check-certificate https://example.org/x"],
    [".github/workflows/a.yml", "  NODE_TLS_REJECT_UNAUTHORIZED: 0"],
    ["a.sh", "git config --global http.sslVerify false"],
  ])("finds verification switched off in %s: %s", async (path, line) => {
    expect(await placesOf(tlsVerificationOff, [newFile(path, line)])).toEqual(["1"]);
  });

  it.each([
    ["a.ts", "const agent = new Agent({ rejectUnauthorized: true });"],
    ["a.ts", "const strict = isSecure ? options.rejectUnauthorized : false;"],
    ["a.ts", "// rejectUnauthorized: false would be wrong here"],
    ["a.ts", 'throw new Error("rejectUnauthorized: false");'],
    ["test/a.ts", "const agent = new Agent({ rejectUnauthorized: false });"],
    ["a.py", "def get(url, verify=False):"],
    ["a.py", "get(url, verify=True)"],
    ["a.py", "context.verify_mode = ssl.CERT_NONE if is_local else ssl.CERT_REQUIRED"],
    ["a.go", "tls.Config{InsecureSkipVerify: cfg.Insecure}"],
    ["a.sh", "# curl -k https://example.org"],
    ["a.sh", "curl -fsSL https://example.org | grep -k x"],
    ["a.sh", "curl --key file https://example.org"],
    ["a.md", "curl -k https://example.org"],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(tlsVerificationOff, [newFile(path, line)])).toEqual([]);
  });
});
