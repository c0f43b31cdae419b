// The initial dictionary of header compression in SPDY 3: words with their lengths, then common values.
const WORDS =
  "options,head,post,put,delete,trace,accept,accept-charset,accept-encoding,accept-language,accept-ranges,age,allow,authorization,cache-control,connection,content-base,content-encoding,content-language,content-length,content-location,content-md5,content-range,content-type,date,etag,expect,expires,from,host,if-match,if-modified-since,if-none-match,if-range,if-unmodified-since,last-modified,location,max-forwards,pragma,proxy-authenticate,proxy-authorization,range,referer,retry-after,server,te,trailer,transfer-encoding,upgrade,user-agent,vary,via,warning,www-authenticate,method,get,status,200 OK,version,HTTP/1.1,url,public,set-cookie,keep-alive,origin";
const VALUES =
  "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

/** Returns the dictionary that both ends of a SPDY 3 connection compress headers with. */
export function spdyDictionary(): Buffer {
  const words = WORDS.split(",").map((word) => {
    const entry = Buffer.alloc(4 + word.length, word);
    entry.writeUInt32BE(word.length);
    entry.write(word, 4, "latin1");
    return entry;
  });
  return Buffer.concat([...words, Buffer.from(VALUES, "latin1")]);
}
