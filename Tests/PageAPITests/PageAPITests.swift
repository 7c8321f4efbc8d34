import PageAPI
import PluginKit
import Testing

@Suite struct PageAPITests {
  @Test func `a password is known by its hash alone, and each hash is another`() throws {
    let one = try #require(PasswordHash.make("correct horse")),
      other = PasswordHash.make("correct horse")
    #expect(one != other && !one.contains("horse"))
    #expect(PasswordHash.matches("correct horse", one))
    for wrong in ["", "correct", "Correct horse", "correct horse "] {
      #expect(!PasswordHash.matches(wrong, one))
    }
    for kept in ["", "scrypt", "scrypt::", "scrypt:00:", one + "0", "md5:" + one.dropFirst(7)] {
      #expect(!PasswordHash.matches("correct horse", kept))
    }
    let token = PasswordHash.makeToken()
    #expect(token.count == 64 && token != PasswordHash.makeToken())
  }

  @Test func `the OpenAPI document has each endpoint once, with its parameters`() throws {
    let paths = try #require(OpenAPI.document(version: "1")["paths"])
    var operations = 0
    if case .object(let members) = paths {
      for path in members {
        guard case .object(let methods) = path.value else { continue }
        operations += methods.count
        for method in methods {
          let endpoint = try #require(
            Endpoint.all.first { $0.path == path.name && $0.method.rawValue == method.name })
          let names = (method.value["parameters"]?.arrayValue ?? []).compactMap {
            $0["name"]?.stringValue
          }
          #expect(names == endpoint.pathParameters + endpoint.query.map(\.name))
          #expect((method.value["requestBody"] != nil) == endpoint.takesBody)
        }
      }
    }
    #expect(operations == Endpoint.all.count)
  }

  @Test func `a set-up is read back as it was written`() throws {
    let setup = PageSetup(
      host: "127.0.0.1", port: 80, socket: nil, hosts: ["a"], behindProxy: true,
      token: PasswordHash.makeToken(), password: "scrypt:0:1", uploads: 7, version: "1")
    #expect(PageSetup(setup.json) == setup)
    #expect(PageSetup(setup.json.setting("token", "short")) == nil)
  }
}

extension Endpoint {
  fileprivate var takesBody: Bool {
    if case .upload = work { true } else { !body.isEmpty }
  }
}
